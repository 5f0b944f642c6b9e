# The image of every program; the entry point names which one runs. `make image` builds it. Base images are pinned by digest:
# scripts/pin-images.ts updates them.
FROM node:24.18.1-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7 AS toolchain
WORKDIR /src

# What decides which packages are installed: the layer below is built again only when this changes.
FROM toolchain AS manifests
COPY package.json package-lock.json ./
COPY packages ./packages
COPY deploy/image/build-manifests.mjs /tmp/
RUN node /tmp/build-manifests.mjs

FROM toolchain AS dependencies
COPY --from=manifests /src ./
RUN npm ci --ignore-scripts --no-audit --no-fund

FROM dependencies AS build
COPY tsconfig.base.json tsconfig.json ./
COPY scripts ./scripts
COPY packages ./packages
ARG REVISION=""
ARG CREATED=""
# The compiled code of the client would be three megabytes, for a start that is 10 ms faster.
RUN node scripts/build.ts --release --commit="$REVISION" --date="$CREATED" && rm dist/orchctl-*.cache

# Without npm, compilers and the rest of the toolchain: Node is one file.
FROM debian:bookworm-slim@sha256:abd67ffcfa541b485a3dff59865ab629aa048a6c613e639d36e7456b0b229241
RUN groupadd --gid 65532 orch \
 && useradd --uid 65532 --gid 65532 --home-dir /var/lib/orch --no-create-home --shell /usr/sbin/nologin orch \
 && install -d -o 65532 -g 65532 -m 0700 /var/lib/orch
COPY --from=toolchain /usr/local/bin/node /usr/local/bin/node
COPY --from=toolchain /usr/local/LICENSE /usr/local/share/doc/node/LICENSE
WORKDIR /opt/orch
COPY package.json LICENSE ./
COPY bin ./bin
COPY scripts/node ./scripts/node
COPY deploy/image/healthcheck.mjs ./healthcheck.mjs
COPY --from=build /src/dist ./dist
ARG VERSION=""
ARG REVISION=""
ARG CREATED=""
LABEL org.opencontainers.image.title="orch" \
      org.opencontainers.image.description="A Kubernetes-style control plane in TypeScript" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.created="$CREATED" \
      org.opencontainers.image.base.name="debian:bookworm-slim"
ENV NODE_ENV=production
# State: a volume that is mounted here belongs to the user below. All other folders are for reading only.
WORKDIR /var/lib/orch
USER 65532:65532
EXPOSE 6443
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/opt/orch/healthcheck.mjs"]
ENTRYPOINT ["/opt/orch/bin/orch-apiserver"]
CMD ["--data-dir=/var/lib/orch/data", "--cert-dir=/var/lib/orch/certs", "--ops-bind-address=127.0.0.1:8080", "--authorization-mode=Node,RBAC"]
