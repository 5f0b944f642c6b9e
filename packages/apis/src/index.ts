export { allVerbs, defineResource, type ResourceDeclaration, statusSubresource, strategyOf } from './define-resource.ts';
export * from './lifecycle.ts';
export * from './registry.ts';
export type * from './resource-type.ts';
export { ageCell, ageColumn, column, nameCell, nameColumn, wideColumn } from './table.ts';
