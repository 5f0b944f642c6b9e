# One image for every program; the entry point names which one runs.
FROM node:24-bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends make && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN make build

FROM node:24-bookworm-slim
RUN useradd --system --uid 65532 --home-dir /nonexistent orch
WORKDIR /opt/orch
COPY --from=build /src/dist ./dist
COPY --from=build /src/bin ./bin
COPY --from=build /src/scripts/node ./scripts/node
COPY --from=build /src/package.json /src/LICENSE ./
USER 65532
ENTRYPOINT ["/opt/orch/bin/orch-apiserver"]
