import type { kinds } from '@orch/client';
import { goList, hostAndPort } from '../text/values.ts';

/** A probe in one line. */
export function probeText(probe: kinds.core.Probe): string {
  const { initialDelaySeconds, timeoutSeconds, periodSeconds, successThreshold, failureThreshold } = probe;
  const times = `delay=${initialDelaySeconds ?? 0}s timeout=${timeoutSeconds ?? 0}s period=${periodSeconds ?? 0}s`;
  return `${actionText(probe)} ${times} #success=${successThreshold ?? 0} #failure=${failureThreshold ?? 0}`;
}

function actionText({ exec, httpGet, tcpSocket, grpc }: kinds.core.Probe): string {
  if (exec !== undefined) return `exec ${goList(exec.command)}`;
  if (httpGet !== undefined) {
    const { scheme = '', host = '', port, path = '' } = httpGet;
    const slash = path === '' || path.startsWith('/') ? '' : '/';
    return `http-get ${scheme.toLowerCase()}://${hostAndPort(host, String(port))}${slash}${encodeURI(path)}`;
  }
  if (tcpSocket !== undefined) return `tcp-socket ${tcpSocket.host ?? ''}:${tcpSocket.port}`;
  if (grpc !== undefined) return `grpc <pod>:${grpc.port} ${grpc.service ?? ''}`;
  return 'unknown';
}
