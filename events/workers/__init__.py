"""Work that goes on beside requests: heartbeat, leases, deadlines, the hub of live listeners.

What may not enter: rules, and HTTP.
"""
