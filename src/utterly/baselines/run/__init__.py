"""RUN (Liu et al., 2020): rewriting as segmentation of a matrix of context words by source words."""
