import type { Subresource } from '@orch/apis';
import type { Answer, ResourceContext } from '@orch/request';
import type { ConnectTarget } from '../context/connector.ts';
import type { RegistryContext } from '../context/registry-context.ts';
import { CachedCoreObjects } from '../internal/cached-core-objects.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import { type Admission, admissionOf, creating } from '../write/admission.ts';
import { type ConnectionOptions, connectionOptions } from './connection-options.ts';

/** Connects to a pod, a service or a node. All but reading a log is admitted as the operation `CONNECT`. */
export function connect(
  context: RegistryContext,
  resource: StoredResource,
  subresource: Subresource,
  call: ResourceContext,
): Answer {
  const { connector } = context;
  const { info, request, user, trace } = call;
  const requested: ConnectTarget = { rawQuery: request.rawQuery, rest: info.rest };
  const connecting = (target: ConnectTarget): Answer =>
    connector.connect(new CachedCoreObjects(context, context.names), resource.type.kind, subresource, {
      info,
      request,
      target,
    });
  if (subresource.behaviour === 'log') return connecting(requested);
  const { namespace, name } = info;
  const admission = admissionOf(
    context,
    resource,
    { operation: 'CONNECT', subresource: info.subresource },
    { namespace, name, user, dryRun: false, signal: request.signal, trace },
  );
  if (admission === undefined) return connecting(requested);
  return admitted(admission, connectionOptions(context, subresource), requested).then(connecting);
}

/** The target after all plugins: plugins that mutate may change the options. */
async function admitted(
  admission: Admission,
  options: ConnectionOptions,
  requested: ConnectTarget,
): Promise<ConnectTarget> {
  const states = creating(options.of(requested));
  await admission.precheck();
  await admission.mutate?.(states);
  await admission.validate?.(states);
  return options.target(states.object, requested);
}
