"""The networks: a ResNet, DeepLabv3+ on top of it, and the second stages that classify from masks."""
