"""Notifications: the accounts that a commit concerns get a notice in their inboxes, and a delivery for their webhooks.

`notifier.Notifier` reads the feeds and queues deliveries; `delivery_worker.Courier` sends them. Each has `attend`, the
duty of whoever looks after a bucket, and `run`, which attends all. Nothing depends on one process doing so alone.

What may not enter: views, and anything that a player would have to wait for.
"""
