"""What the platform serves: the model and its gradient as ONNX, and numbers to check them against."""
