"""Notifications: the accounts that a commit concerns get a notice in their inboxes, and a delivery for their webhooks.

`notifier.Notifier` reads the feeds and queues deliveries; `delivery_worker.DeliveryWorker` sends them. Each has
`attend`, which does what is due in one bucket, and `run`, which attends to all leased buckets. `workers` runs both in
one process; several processes may do so at once.

What may not enter: views, and anything that a player would have to wait for.
"""
