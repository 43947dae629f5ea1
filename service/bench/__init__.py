"""`hidalgo bench`: figures against limits, measured on this machine."""
