export { MemoryObjectSource } from './memory-object-source.ts';
