import { f, items, struct } from '@orch/schema';
import { onlyFirst } from '../volume/source-order.ts';
import { stopSignals } from './stop-signals.ts';
import {
  checkHttpGet,
  checkLifecycleHandler,
  checkProbeHandler,
  checkTcpSocket,
  lifecycleHandlers,
  probeHandlers,
} from './validation/probe.ts';

export const ExecAction = struct(
  'core.v1.ExecAction',
  'Runs a command in the container; exit status 0 is success.',
  {
    command: f.list(1, items.string, {
      doc: 'The command and its arguments; no shell is involved.',
      required: true,
    }),
  },
);

export const HTTPHeader = struct('core.v1.HTTPHeader', 'One header of a request.', {
  name: f.string(1, { doc: 'Name of the header.', presence: 'always' }),
  value: f.string(2, { doc: 'Value of the header.', presence: 'always' }),
});

export const HTTPGetAction = struct(
  'core.v1.HTTPGetAction',
  'Sends an HTTP GET request; a status from 200 to 399 is success.',
  {
    path: f.string(1, { doc: 'Path of the request.', default: '/', required: true }),
    port: f.intOrString(2, { doc: 'Number or name of the port.', presence: 'always' }),
    host: f.string(3, { doc: "Host of the request; the pod's address when empty." }),
    scheme: f.string(4, { doc: 'HTTP or HTTPS.', default: 'HTTP', enum: ['HTTP', 'HTTPS'] }),
    httpHeaders: f.list(5, HTTPHeader, { doc: 'Headers to send.' }),
    protocol: f.string(6, {
      doc: 'HTTP1, or HTTP2 without TLS.',
      presence: 'pointer',
      default: 'HTTP1',
      enum: ['HTTP1', 'HTTP2'],
      since: 'never',
      gate: 'H2CContainerProbe',
    }),
  },
  { checks: [checkHttpGet] },
);

export const TCPSocketAction = struct(
  'core.v1.TCPSocketAction',
  'Opens a connection; succeeds when the connection is established.',
  {
    port: f.intOrString(1, { doc: 'Number or name of the port.', presence: 'always' }),
    host: f.string(2, { doc: "Host to connect to; the pod's address when empty." }),
  },
  { checks: [checkTcpSocket] },
);

export const GRPCAction = struct('core.v1.GRPCAction', 'Calls the gRPC health service.', {
  port: f.int32(1, { doc: 'Port of the service.', presence: 'always', format: 'portNumber' }),
  service: f.string(2, {
    doc: 'Service name in the request.',
    nullable: true,
    presence: 'always',
    default: '',
    openapiRequired: false,
  }),
  mode: f.string(3, {
    doc: 'Plaintext or TLS.',
    presence: 'pointer',
    enum: ['Plaintext', 'TLS'],
    since: 'never',
    gate: 'GRPCContainerProbeTLS',
  }),
});

const ProbeHandler = struct(
  'core.v1.ProbeHandler',
  'How a probe is done; one field is set.',
  onlyFirst(probeHandlers, {
    exec: f.struct(1, ExecAction, { doc: 'Runs a command.', presence: 'pointer' }),
    httpGet: f.struct(2, HTTPGetAction, { doc: 'Sends an HTTP request.', presence: 'pointer' }),
    tcpSocket: f.struct(3, TCPSocketAction, { doc: 'Opens a connection.', presence: 'pointer' }),
    grpc: f.struct(4, GRPCAction, {
      doc: 'Calls a gRPC health service.',
      presence: 'pointer',
      since: '1.24',
      gate: 'GRPCContainerProbe',
    }),
  }),
  { checks: [checkProbeHandler] },
);

export const Probe = struct('core.v1.Probe', 'A check that is repeated on a container.', {
  handler: f.inline(1, ProbeHandler, { protoName: 'handler' }),
  initialDelaySeconds: f.int32(2, {
    doc: 'Seconds after the start of the container before the first check.',
    min: 0,
  }),
  timeoutSeconds: f.int32(3, { doc: 'Seconds after which a check has failed.', default: 1, min: 0 }),
  periodSeconds: f.int32(4, { doc: 'Seconds between checks.', default: 10, min: 0 }),
  successThreshold: f.int32(5, { doc: 'Successes in a row that count as recovered.', default: 1, min: 0 }),
  failureThreshold: f.int32(6, { doc: 'Failures in a row that count as failed.', default: 3, min: 0 }),
  terminationGracePeriodSeconds: f.int64(7, {
    doc: 'Seconds for graceful termination after this probe failed; those of the pod when absent.',
    presence: 'pointer',
    since: '1.25',
    gate: 'ProbeTerminationGracePeriod',
  }),
});

export const SleepAction = struct('core.v1.SleepAction', 'Waits for some time.', {
  seconds: f.int64(1, { doc: 'Seconds to sleep.', presence: 'always' }),
});

export const LifecycleHandler = struct(
  'core.v1.LifecycleHandler',
  "Action at a point of a container's lifecycle; one field is set.",
  onlyFirst(lifecycleHandlers, {
    exec: f.struct(1, ExecAction, { doc: 'Runs a command.', presence: 'pointer' }),
    httpGet: f.struct(2, HTTPGetAction, { doc: 'Sends an HTTP request.', presence: 'pointer' }),
    tcpSocket: f.struct(3, TCPSocketAction, {
      doc: 'Not supported; kept for old objects.',
      presence: 'pointer',
    }),

    sleep: f.struct(4, SleepAction, {
      doc: 'Waits.',
      presence: 'pointer',
      since: '1.30',
      gate: 'PodLifecycleSleepAction',
    }),
  }),
  { checks: [checkLifecycleHandler] },
);

export const Lifecycle = struct(
  'core.v1.Lifecycle',
  'Actions after a container was started and before it is terminated.',
  {
    postStart: f.struct(1, LifecycleHandler, {
      doc: 'Action directly after the start; when it fails, the container is terminated.',
      presence: 'pointer',
    }),
    preStop: f.struct(2, LifecycleHandler, {
      doc: 'Action before the container is terminated by a request.',
      presence: 'pointer',
    }),

    stopSignal: f.string(3, {
      doc: 'Signal that ends the container, such as SIGTERM; that of the image when absent. The pod must set os.',
      presence: 'pointer',
      enum: stopSignals,
      openapiEnum: { values: stopSignals },
      since: 'never',
      gate: 'ContainerStopSignals',
    }),
  },
);
