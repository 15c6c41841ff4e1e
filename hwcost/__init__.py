"""hwcost: what training hardware a hyperspectral lab should buy, and what it costs over three years."""

__version__ = "0.1.0"
