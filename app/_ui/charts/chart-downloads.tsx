'use client';

import { Download } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../button';
import { standaloneSvg } from './standalone-svg';
import { tableToCsv } from './table-to-csv';

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
