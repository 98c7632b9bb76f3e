"""Torch taggers as ONNX graphs."""
