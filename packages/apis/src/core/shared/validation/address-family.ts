export const familyOf = (address: string): string => (address.includes(':') ? 'IPv6' : 'IPv4');
