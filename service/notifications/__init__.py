"""The herald: hears of every commit, and tells those whom it concerns, in their inboxes and to their webhooks.

`heralding.Herald` reads what happened and lets deliveries wait; `courier.Courier` delivers them. Each has `attend`, the
duty of whoever looks after a bucket, and `run`, which attends all. Nothing depends on one process doing so alone.

What may not enter: views, and anything that a player would have to wait for.
"""
