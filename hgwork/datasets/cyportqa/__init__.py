"""CyPortQA, a public benchmark of tropical cyclones and ports: forecasts, bulletins, disruption, questions."""

from .reader import CyPortQA, cyportqa

__all__ = ["CyPortQA", "cyportqa"]
