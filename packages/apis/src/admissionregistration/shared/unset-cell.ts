export const unset = '<unset>';
