export * from './ip-address.ts';
export * from './ip-range.ts';
