"""Notifications: the accounts that a commit concerns get a notice in their inboxes, and a delivery for their webhooks.

| module | what |
|---|---|
| `workers` | runs the notifier and the delivery worker of one process; several processes may do so at once |
| `notifier` | reads the feeds, a `backlog` for each: `transitions` to `notices` (with their texts) and deliveries |
| `mailbox_update` | what a batch of commits changes in the mailbox of one account |
| `delivery_worker` | sends the deliveries that are due: `due`, `slots`, `retry_policy` |
| `sender` | one request: `receiver_addresses`, `public_addresses`, `guarded_connection`, `signing` |
| `mailboxes` | all that is stored for an account: its `inbox`, its `webhooks`, their deliveries |
| `deliveries` | what a delivery is; `delivery_records` stores them, `delivery_queue` decides about them |

What may not enter: views, and anything that a player would have to wait for.
"""
