/** The token of `Authorization: Bearer <token>`; undefined without one (another scheme, or nothing after it). */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length < 8) return undefined;
  if (authorization.charCodeAt(6) !== 0x20 || authorization.slice(0, 6).toLowerCase() !== 'bearer')
    return undefined;
  const token = authorization.slice(7).trim();
  return token === '' ? undefined : token;
}
