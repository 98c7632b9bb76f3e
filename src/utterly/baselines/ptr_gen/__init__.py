"""Ptr-Gen (See et al., 2017): a generator that chooses at each word between its vocabulary and copying."""
