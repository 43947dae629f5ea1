"""The services behind the views of studies, free of the web framework.

`study_service` is the way in. `access` decides what an account may know of a study: everything that leaves the service
passes there. `chapters` decides which games a study shows, `numbering` counts versions, `link_keys` opens studies to
those who have the link, `presence` tells who is there; `study_index`, `study_list` and `study_search` find studies,
`index_worker` keeps the index. `positions` has the positions of what is tried, `comments` how Markdown is shown,
`study_representations` how a study leaves the service.

Nothing here knows a game by name, decides an edit (`replay.study.commands` does) or reads a request.
"""
