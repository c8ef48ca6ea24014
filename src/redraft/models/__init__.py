"""Sources of replies: providers over the network, and what answers without one."""
