import { TransportError, type TransportRequest } from './transport.ts';

const fieldName = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
/** Visible characters, inner blanks and tabs, and bytes beyond ASCII (RFC 9110 section 5.5). */
const fieldValue = /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/;

const path = /^\/[\x21-\x7e]*$/;

/** Throws a `TransportError` for a target that is not a percent-encoded path. */
export function checkTarget(target: string): void {
  if (!path.test(target))
    throw new TransportError('notSent', `${JSON.stringify(target)} is not the path of a request`);
}

/**
 * Throws a `TransportError` for a header field that would end the head or change its meaning: the HTTP/2 client of the
 * runtime does not validate fields. The message omits the value, which may be a secret.
 */
export function checkHeaders(headers: TransportRequest['headers']): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!fieldName.test(name))
      throw new TransportError('notSent', `${JSON.stringify(name)} cannot be the name of a header`);
    const values = typeof value === 'string' ? [value] : value;
    if (!values.every((one) => fieldValue.test(one)))
      throw new TransportError('notSent', `the header ${name} has characters that no header can have`);
  }
}
