const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Exact values where the cells carry them, else what is shown. Lines end as RFC 4180 has it. */
export const tableToCsv = (table: HTMLTableElement) =>
  [...table.rows]
    .map((row) => [...row.cells].map((cell) => quote(cell.dataset.value ?? cell.textContent ?? '')).join(','))
    .join('\r\n')
    .concat('\r\n');
