"""How well segmentation without a model finds where tasks begin."""
