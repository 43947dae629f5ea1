# The same two steps as on any machine: ./hidalgo makes its environment, then serves. The tests run them without
# a container. Not Alpine: the embedded store has no wheel for musl.
FROM python:3.11-slim

WORKDIR /hidalgo
COPY . .
RUN ./hidalgo --version

# Any user may be chosen with --user, so the place of the games belongs to nobody.
ENV HIDALGO_DATA=/data
RUN mkdir -m 1777 /data
VOLUME /data

USER 10001:10001
EXPOSE 8000
CMD ["./hidalgo", "serve", "--host", "0.0.0.0"]
