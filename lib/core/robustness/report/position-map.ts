import { mean } from 'd3-array';
import { POSITIONS } from '../variants/edits/position';
import { isRight } from './accuracy';
import type { Plot } from './report';
import type { RowTable } from './row-table';

export const POSITION_GRID = 'edit.position-grid';

const ROWS = ['top', 'middle', 'bottom'];
const COLUMNS = ['left', 'centre', 'right'];

/** Accuracy by where the object lies in its picture: where the model expects things. */
export function positionMap(table: RowTable): Plot[] {
  const found = new Map(
    POSITIONS.map((level) => {
      const rows = table.subjects.flatMap((subject) =>
        table
          .of(POSITION_GRID, subject.id)
          .filter((row) => row.level === level)
          .map((row) => Number(isRight(row, subject))),
      );
      return [level, rows] as const;
    }),
  );
  const n = Math.max(...[...found.values()].map(({ length }) => length));
  if (n === 0) return [];
  const levels = ROWS.map((row) => COLUMNS.map((column) => `${row}-${column}`));
  return [
    {
      id: 'edit-position-map',
      title: 'Accuracy by position of the object',
      says: `The object laid into the corners, along the edges and into the middle of its own picture, over ${n} images where that is possible.`,
      kind: 'heat',
      rows: ROWS,
      columns: COLUMNS,
      unit: 'share',
      values: levels.map((row) => row.map((level) => mean(found.get(level) ?? []) ?? null)),
      filters: levels.map((row) =>
        row.map((level) => ({
          variant: POSITION_GRID,
          level,
          isRight: false,
          sort: `drop ${POSITION_GRID}`,
        })),
      ),
    },
  ];
}
