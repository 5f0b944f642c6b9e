FROM debian:bookworm-slim@sha256:abd67ffcfa541b485a3dff59865ab629aa048a6c613e639d36e7456b0b229241
RUN apt-get update \
 && apt-get install -y --no-install-recommends etcd-server etcd-client \
 && rm -rf /var/lib/apt/lists/* \
 && install -d -o 65532 -g 65532 -m 0700 /var/lib/orch-etcd
# The user of the other images: it reads the certificates in the volume that they share.
USER 65532:65532
ENTRYPOINT ["/usr/bin/etcd"]
