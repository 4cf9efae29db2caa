'use client';

import { Download } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../button';

function save(name: string, extension: string, type: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.${extension}`;
  link.click();
  URL.revokeObjectURL(url);
}

/** Files are made from what the page already holds, so that they say what the reader sees. */
export function ChartDownloads({ name }: { name: string }) {
  const place = useRef<HTMLDivElement>(null);
  const chart = () => place.current?.closest('[data-chart]');
  const saveSvg = () => {
    const svg = chart()?.querySelector<SVGSVGElement>('svg[data-drawing]');
    if (svg) save(name, 'svg', 'image/svg+xml', standaloneSvg(svg, name));
  };
  const saveCsv = () => {
    const table = chart()?.querySelector('table');
    if (table) save(name, 'csv', 'text/csv', tableToCsv(table));
  };
  return (
    <div ref={place} className="flex">
      <Button variant="quiet" size="small" icon={<Download aria-hidden />} onClick={saveSvg}>
        SVG
      </Button>
      <Button variant="quiet" size="small" icon={<Download aria-hidden />} onClick={saveCsv}>
        CSV
      </Button>
    </div>
  );
}

const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Exact values where the cells carry them, else what is shown. Lines end as RFC 4180 has it. */
const tableToCsv = (table: HTMLTableElement) =>
  [...table.rows]
    .map((row) => [...row.cells].map((cell) => quote(cell.dataset.value ?? cell.textContent ?? '')).join(','))
    .join('\r\n')
    .concat('\r\n');

const painted = ['fill', 'stroke', 'color', 'stop-color'];

/** A copy of a drawing that needs no style sheet: theme colours are written out as they are now. */
function standaloneSvg(svg: SVGSVGElement, title: string): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll('*')];
  const copies = [copy, ...copy.querySelectorAll('*')];
  originals.forEach((original, index) => {
    const computed = getComputedStyle(original);
    const target = copies[index];
    for (const name of painted) {
      if (target?.getAttribute(name)?.includes('var('))
        target.setAttribute(name, computed.getPropertyValue(name));
    }
    target?.removeAttribute('class');
  });
  const heading = document.createElementNS('http://www.w3.org/2000/svg', 'title');
  heading.textContent = title;
  copy.prepend(heading);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(copy);
}
