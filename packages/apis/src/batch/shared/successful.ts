export const SUCCESSFUL = 'status.successful';
