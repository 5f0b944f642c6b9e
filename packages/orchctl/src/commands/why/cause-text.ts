import { asObject, asObjects, asStrings, asText, type JsonObject } from '@orch/machinery/json';

/** The causes of an answer, for people: one paragraph for each. */
export const causesText = (answer: JsonObject, indent = ''): string =>
  asObjects(answer['causes'])
    .flatMap(causeLines)
    .map((line) => `${indent}${line}\n`)
    .join('');

function causeLines({ type, message, where, resolvedBy }: JsonObject): readonly string[] {
  const place = placeText(asObject(where));
  const { action, subjects } = asObject(resolvedBy);
  const by = asStrings(subjects).join(', ');
  return [
    `${asText(type)}: ${asText(message)}`,
    ...(place === '' ? [] : [`  at ${place}`]),
    ...(by === '' ? [] : [`  ${asText(action)}: ${by}`]),
  ];
}

/** `pods/web in default`. */
function placeText({ group, resource, namespace, name }: JsonObject): string {
  const type = asText(group) === '' ? asText(resource) : `${asText(resource)}.${asText(group)}`;
  const object = asText(name) === '' ? type : `${type}/${asText(name)}`;
  return asText(namespace) === '' ? object : `${object} in ${asText(namespace)}`;
}

/** A request in one line. */
export function requestText(request: JsonObject): string {
  const { receivedAt, method, target, code, durationMs, user, auditId } = request;
  return `${asText(receivedAt)}  ${asText(method)} ${asText(target)}  ${String(code)}  ${String(durationMs)} ms  ${asText(user)}  ${asText(auditId)}`;
}
