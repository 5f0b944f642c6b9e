import { type ApiObject, humanAge } from '@orch/machinery';
import { asObjects, asText, specOf, statusOf } from '../../read.ts';
import type { Cell, Column, TableDefinition } from '../../resource-type.ts';
import { ageCell, ageColumn, column, nameCell, nameColumn, orNone } from '../../table.ts';

/** The decision, then what came of it. */
function conditionText(request: ApiObject): string {
  const { conditions, certificate } = statusOf(request);
  const types = new Set(asObjects(conditions).map((condition) => condition['type']));
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  return [
    decision,
    ...(types.has('Failed') ? ['Failed'] : []),
    ...(asText(certificate) === '' ? [] : ['Issued']),
  ].join();
}

const signerColumn = column('SignerName', 'Who is to sign the certificate.');
const requestorColumn = column('Requestor', 'Who made the request.');
const conditionColumn = column('Condition', 'What was decided, and what came of it.');

const signerCell = (request: ApiObject): Cell => orNone(asText(specOf(request)['signerName']));
const requestorCell = (request: ApiObject): Cell => asText(specOf(request)['username']);

function durationCell(request: ApiObject): Cell {
  const seconds = specOf(request)['expirationSeconds'];
  return typeof seconds === 'number' ? humanAge(seconds * 1000) : '<none>';
}

const table = (between: readonly (readonly [Column, (request: ApiObject) => Cell])[]): TableDefinition => ({
  columns: [nameColumn, ageColumn, ...between.map(([one]) => one), conditionColumn],
  cells: (request) => [
    nameCell(request),
    ageCell(request),
    ...between.map(([, cell]) => cell(request)),
    conditionText(request),
  ],
});

export const csrTable = table([
  [signerColumn, signerCell],
  [requestorColumn, requestorCell],
  [column('RequestedDuration', 'How long the certificate should be valid.'), durationCell],
]);

export const csrTableBefore122 = table([
  [signerColumn, signerCell],
  [requestorColumn, requestorCell],
]);

export const csrTableBefore118 = table([[requestorColumn, requestorCell]]);
