"""Work that goes on beside requests: heartbeat, leases, deadlines, the hub of live listeners.

Rules and HTTP may not enter.
"""
