import { column } from '../../../table.ts';

export const classColumn = column('ResourceClassName', 'Class of the resource.');

export const modeColumn = column('AllocationMode', 'When the resource is allocated.');
