"""Fixtures that several rooms share."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Tests run side by side on whatever machine: how long an example takes says nothing about the code.
settings.register_profile("hgwork", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("hgwork")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of public data sets; tests that need it are skipped, and say so, where it is not."""
    default = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("HGWORK_SHARED_DATA", default))
    if not folder.is_dir():
        pytest.skip(f"no public data in {folder}; set HGWORK_SHARED_DATA to the folder that holds it")
    return folder
