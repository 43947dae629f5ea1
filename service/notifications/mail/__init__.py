"""Mail: notices as letters to the address of an account, if the operator has named a server.

| module | what |
|---|---|
| `addresses` | what is an address, and what is none |
| `preferences` | the address of an account and its choices, in its record |
| `letters` | notices put into words, as the message that is sent |
| `smtp` | one server, one try |
| `mail_queue` | letters are written, claimed and settled here, one change of a mailbox at a time |
| `mail_worker` | sends the letters that are due, in threads of its own |

An address is private: it is in no log, no export and no answer but to its owner.
"""
