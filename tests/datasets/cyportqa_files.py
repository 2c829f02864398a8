"""A hand-made data set in the layout of CyPortQA: storm ADA of 2022, two ports, two lead times; invented throughout."""

import json

HEADER = (
    "id,time_utc,text,photos,CycloneName,Year,PortList,Condition,"
    "ConditionEffectiveTime,VesselOps,OceanVesselOps,FacilityOps"
)
EVENTS = (
    "ID,SID,PID,port,PORT_LON,PORT_LAT,start_date,end_date,start_recovery_date,end_recovery_date,total_impact,"
    "total_impact_value,max_impact,day_of_recover,DISTANCE,WIND,PRESSURE,Wind_speed,Surge_height,Rainfall,D_normal,D_cyclone"
)


def block(**changes):
    """A scenario file; a change names a key anywhere in it."""
    record = {
        "cyclone": {
            "name": "ADA",
            "category": "Tropical Storm (not yet a hurricane)",
            "current_location": "somewhere at sea",
            "coordinates": "30.0N, 75.0W",
            "motion": {"direction": "NW", "speed": "10 mph"},
            "trajectory": "toward the Outer Banks, then Chesapeake Bay",
            "expected_landfall_location": "near Cape Hatteras, North Carolina",
            "expected_landfall_date": "2022-06-04",
            "hours_to_landfall": "24",
            "hours_to_offshore": "N/A",
            "hours_of_strike": "12",
        },
        "port": {"name": "Baltimore, MD"},
        "weather_observation": {
            "within_uncertainty_cone": "Yes (western edge)",
            "forecast_window": "5",
            "under_watch": "Tropical Storm Watch",
            "under_warning": "None",
            "watch_coast": "A to B",
            "warning_coast": "None",
            "impacted_coast": "a coast",
            "expected_closest_date_to_port": "2022-06-04",
            "expected_leaving_port_date": "2022-06-05",
            "closest_wind_data_location": "BALTIMORE MD",
            "culmulative_wind_34kt": "23%",
            "culmulative_wind_50kt": "<1%",
            "34kt_max": "23%",
            "time_to_34kt_max": "48",
            "time_to_34kt_non_zero": "24",
            "time_to_50kt_max": "N/A",
            "gale_probability": {"in 12h": "0%", "in 24h": "5%", "in 48h": "23%", "in 72h": "23%", "in 96h": "23%"},
            "first_hazard": "Start of heavy rainfall",
            "rain_fall_above_4_inch": "Likely",
            "storm_surge_above_3_feet": "No",
            "wind": "Gusts of 35–45 mph in the bay",
            "storm_surge": "Up to 2 ft in the harbor; above 3 ft is not expected",
            "rainfall": "2 to 4 inches",
            "other_hazards": "Isolated tornadoes; rip currents",
        },
    }
    for part in (record["cyclone"], record["cyclone"]["motion"], record["weather_observation"]):
        part.update({key: value for key, value in changes.items() if key in part})
    return record


def advisory(number, stamp, utc, wind):
    """A public advisory."""
    return (
        f"BULLETIN\nTropical Storm Ada Advisory Number {number}\n"
        "NWS National Hurricane Center Miami FL       AL992022\n"
        f"{stamp}\n\nSUMMARY OF NOW...{utc} UTC...INFORMATION\nLOCATION...30.0N 75.0W\n"
        "ABOUT 200 MI...320 KM SE OF CAPE HATTERAS NORTH CAROLINA\n"
        f"MAXIMUM SUSTAINED WINDS...{wind} MPH...95 KM/H\nPRESENT MOVEMENT...NW OR 315 DEGREES AT 10 MPH...16 KM/H\n"
        "MINIMUM CENTRAL PRESSURE...998 MB...29.47 INCHES\n\n"
        "A Tropical Storm Watch is in effect for...\n* Cape Charles to\nSmith Point\n* Tidal Potomac\n\n"
        "Tropical-storm-force winds extend outward up to 90\nmiles (150 km) from the center.\n"
    )


def wind_table(number, issued, base):
    """A wind table with a good row, a row at another place and a row that does not fit the grid."""
    return (
        f"TROPICAL STORM ADA WIND SPEED PROBABILITIES NUMBER  {number}\n{issued}\n"
        f"        {base} AND THE FORECAST HOUR (CUMULATIVE PROBABILITY)\n"
        "FORECAST HOUR    (12)   (24)    (36)    (48)    (72)    (96)   (120)\n"
        "LOCATION       KT\n\n"
        "BALTIMORE MD   34  X   5( 5)  12(17)   6(23)   X(23)   X(23)   X(23)\n"
        "BALTIMORE MD   50  X   X( X)   2( 2)   1( 3)   X( 3)   X( 3)   X( 3)\n"
        "NORFOLK NAS    34  3  30(33)  20(53)   1(54)   X(54)   X(54)   X(54)\n"
        "BROKEN ROW     34  3  30(33)\n"
    )


def event(number, track="2022152N27282", port='"Baltimore, MD"', start="6/4/2022", end="6/6/2022", loss="0.5"):
    """A row of the table of events; track "2022152N27282" is born on 1 June 2022 at 27 N, 78 W."""
    return (
        f"{number},{track},1,{port},-76.6,39.2,6/3/2022,6/6/2022,{start},{end},2,7.5,{loss},2,90,45,1000,10,0.4,3,8,6"
    )


AT = "senario.time.<key>."
LEVELS = ["Normal", "WHISKEY", "X-RAY", "YANKEE", "ZULU"]
ASKED = [
    (["Q1", "S1", "TF"], "Is {senario.port.name} inside?", AT + "weather_observation.within_uncertainty_cone", []),
    (["Q6", "S1", "SA", "NU"], "Where?", AT + "cyclone_condition_and_forecast.coordinates", []),
    (
        ["Q31", "S2", "WP", "MC"],
        "Rain?",
        AT + "weather_observation.rain_fall_above_4_inch",
        ["Unlikely", "No", "Yes", "Possible"],
    ),
    (["Q36", "S2", "IR", "NU"], "Until when?", AT + "impact_prediction.day_of_recover", []),
    (["Q35", "S2", "IR", "NU"], "Worst day?", AT + "impact_prediction.max_impact_date", []),
    (["Q41", "S3", "CC", "MC"], "Which condition?", AT + "operation.now.Condition", LEVELS),
    (["Q42", "S3", "{" + AT + "operation.<key>}", "MC"], "Then?", AT + "operation.<key>.Condition", LEVELS),
    (["Q16", "S1", "MC", "AUTO"], "Which port?", "senario.port.name", ["{senario.port.name}", "Elsewhere"]),
]
TEMPLATES = [
    {"question_type": tags, "context": ["{senario.port.name}"], "modalities": ["text_advisory"], "prompt": ""}
    | {"question": question, "answer": "{" + path + "}"}
    | ({"choice": choices} if choices else {})
    for tags, question, path, choices in ASKED
]


def write(folder):
    """Write the data set and return its folder."""
    for name in ("encoded", "advisory", "wind", "events"):
        (folder / name).mkdir(parents=True)
    for lead, wind in ((24, "50"), (12, "60")):
        text = json.dumps(block(hours_to_landfall=str(lead)))
        (folder / "encoded" / f"ADA_2022_Baltimore,_MD_{lead}_summary.json").write_text(text, encoding="utf-8")
        stamp, utc = ("800 AM EDT Fri Jun 03 2022", 1200) if lead == 24 else ("800 PM EDT Fri Jun 03 2022", "0000")
        (folder / "advisory" / f"ADA_2022_{lead}h.txt").write_text(
            advisory("4A" if lead == 24 else "6", stamp, utc, wind)
        )
        issued = "0900 UTC FRI JUN 03 2022" if lead == 24 else "0300 UTC SAT JUN 04 2022"
        base = "BETWEEN\n        06Z FRI" if lead == 24 else "BETWEEN\n        18Z FRI"
        (folder / "wind" / f"ADA_2022_{lead}h.txt").write_text(wind_table(4 if lead == 24 else 7, issued, base))
    (folder / "events" / "table.csv").write_text("\n".join([EVENTS, event(1)]) + "\n")
    first = [
        HEADER,
        '1,6/3/2022 9:00,words,/,ADA,2022,"Baltimore, Nowhere",WHISKEY,6/2/2022 21:00,v,o,f',
        "2,6/3/2022 18:00,words,/,,2022,\"['MARYLAND']\",XRAY,,,,",
        "3,6/4/2022 9:00,words,/,ADA,2022,Baltimore,ZULU,,,,",
        "4,6/4/2022 9:00,words,/,OTHER,2022,Baltimore,ZULU,,,,",
        "5,6/4/2022 9:00,words,/,ADA,2022,Baltimore,UNKNOWN,,,,",
    ]
    (folder / "uscg__port_conditions_enriched.csv").write_text("\n".join(first) + "\n")
    second = [HEADER, "2,6/3/2022 18:00,words,/,ADA,2022,\"['MARYLAND']\",XRAY,6/3/2022 18:00,,,"]
    (folder / "uscg__port_conditions_filtered.csv").write_text("\n".join(second) + "\n")
    (folder / "CyPortQA_template.json").write_text(json.dumps(TEMPLATES), encoding="utf-8-sig")
    return folder
