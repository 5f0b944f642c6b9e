export { readCompactToken } from '../jwt/compact-token.ts';
export { MemoryObjectSource } from './memory-object-source.ts';
