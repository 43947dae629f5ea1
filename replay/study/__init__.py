"""Studies: games with what people wrote, drew and tried at their steps. An aggregate of its own, with its own log.

`study` is the data, `facts` how it changes, `commands` what members may do, `decider` the place in the frame of
`events`; `lines` plays what is tried by the rules; `json_format` and `text_format` are files of a study. All of it is
pure.

What may not enter: the store, the time of day, a game by its name, and anything from `service`.
"""
