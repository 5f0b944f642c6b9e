import { isJsonObject } from '@orch/machinery/json';
import { chain, type Lens, lossless, move, within } from '@orch/schema';
import { Ingress as Hub } from './v1.ts';
import { Ingress } from './v1beta1.ts';

/** Name and port of the service are separate fields in the hub; a port that is a string is a name. */
const backend: Lens = {
  toHub(value) {
    const { serviceName: name, servicePort: port } = value;
    delete value.serviceName;
    delete value.servicePort;
    if (name === undefined && (port === undefined || port === 0)) return;
    value.service = {
      ...(name === undefined ? {} : { name }),
      port: typeof port === 'string' ? { name: port } : { number: port },
    };
  },
  fromHub(value) {
    const { service } = value;
    delete value.service;
    if (!isJsonObject(service)) return;
    const port = isJsonObject(service.port) ? service.port : {};
    if (service.name !== '') value.serviceName = service.name;
    value.servicePort = port.name ?? port.number ?? 0;
  },
};

/** Paths formerly had no type; in the hub every path has one. */
const pathType: Lens = {
  toHub(path) {
    path.pathType ??= 'ImplementationSpecific';
  },
  fromHub(path) {
    if (path.pathType === null) delete path.pathType;
  },
};

/** For both groups that served ingresses before v1. */
export const ingressLens = lossless(
  chain(
    within('spec.rules[].http.paths[]', chain(pathType, within('backend', backend))),
    within('spec.backend', backend),
    move('spec.backend', 'spec.defaultBackend'),
  ),
  { hub: Hub, older: Ingress },
);
