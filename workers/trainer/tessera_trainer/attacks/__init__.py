"""Attacks for training and for evaluation: the largest change is eps, the picture stays in [0, 1]."""
