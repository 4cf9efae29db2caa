/** Bytes: a footer of ten thousand columns in a hundred groups has less. */
const MAX_BYTES = 16 * 1024 ** 2;
const MAX_COLUMNS = 10_000;
const MAX_DEPTH = 16;
/** Of a number of 64 bits. */
const MAX_VARINT_BYTES = 10;

/** Of Thrift's compact protocol. */
const STOP = 0;
const [TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, STRUCT] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12];

export interface Footer {
  /** Elements in the order of the tree: each is followed by as many as it has children, and theirs. */
  columns: { name: string; children: number }[];
  rows: number;
  /** What programs have written beside. */
  notes: Map<string, string>;
}

/**
 * What a guess needs to know of a Parquet file, in one pass over its footer. The library that reads these files goes
 * round in circles on a footer that promises more than it holds, so it sees none outside a process that may end.
 */
export function readFooter(file: Uint8Array): Footer {
  const end = file.length - 8;
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  if (end < 4 || view.getUint32(end + 4) !== 0x50415231)
    throw new Error('It does not end as a Parquet file.');
  const length = view.getUint32(end, true);
  if (length > end || length > MAX_BYTES) throw new Error('Its footer is longer than it may be.');
  const reader = new Reader(file.subarray(end - length, end));
  const footer: Footer = { columns: [], rows: 0, notes: new Map() };
  reader.struct((field, type) => {
    if (field === 2 && type === LIST) reader.list(MAX_COLUMNS, () => footer.columns.push(reader.column()));
    else if (field === 3 && type === I64) footer.rows = reader.number();
    else if (field === 5 && type === LIST) reader.list(MAX_COLUMNS, () => footer.notes.set(...reader.note()));
    else reader.skip(type);
  });
  return footer;
}

/** Everything it reads takes at least a byte, so it ends when the bytes do. */
class Reader {
  private at = 0;
  private depth = 0;

  constructor(private readonly bytes: Uint8Array) {}

  struct(take: (field: number, type: number) => void): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new Error('It is nested too deeply.');
    let field = 0;
    for (let head = this.byte(); (head & 15) !== STOP; head = this.byte()) {
      const step = head >> 4;
      field = step > 0 ? field + step : this.number();
      take(field, head & 15);
    }
    this.depth -= 1;
  }

  /** A list of structs. */
  list(most: number, take: () => void): void {
    const { type, size } = this.listHead();
    if (type !== STRUCT || size > most) throw new Error('It has more columns than it may.');
    for (let n = 0; n < size; n++) take();
  }

  column(): Footer['columns'][number] {
    const column = { name: '', children: 0 };
    this.struct((field, type) => {
      if (field === 4 && type === BINARY) column.name = this.text();
      else if (field === 5 && type === I32) column.children = this.number();
      else this.skip(type);
    });
    return column;
  }

  note(): [string, string] {
    const note: [string, string] = ['', ''];
    this.struct((field, type) => {
      if ((field === 1 || field === 2) && type === BINARY) note[field - 1] = this.text();
      else this.skip(type);
    });
    return note;
  }

  /** Folded so that small negative numbers are short. Exact up to 2^53. */
  number(): number {
    let folded = 0;
    for (let n = 0; n < MAX_VARINT_BYTES; n++) {
      const byte = this.byte();
      folded += (byte & 127) * 2 ** (7 * n);
      if (byte < 128) return folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
    }
    throw new Error('A number is too long.');
  }

  skip(type: number): void {
    if (type === TRUE || type === FALSE) return;
    if (type === BYTE) this.pass(1);
    else if (type === I16 || type === I32 || type === I64) this.number();
    else if (type === DOUBLE) this.pass(8);
    else if (type === BINARY) this.pass(this.size());
    else if (type === LIST) this.skipList();
    else if (type === STRUCT) this.struct((_, inner) => this.skip(inner));
    else throw new Error('It has a value of a kind that no footer has.');
  }

  private skipList(): void {
    const { type, size } = this.listHead();
    const element = type === TRUE || type === FALSE ? BYTE : type;
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new Error('It is nested too deeply.');
    for (let n = 0; n < size; n++) this.skip(element as number);
    this.depth -= 1;
  }

  private listHead(): { type: number; size: number } {
    const head = this.byte();
    return { type: head & 15, size: head >> 4 === 15 ? this.size() : head >> 4 };
  }

  private text(): string {
    const size = this.size();
    this.pass(size);
    return new TextDecoder().decode(this.bytes.subarray(this.at - size, this.at));
  }

  private size(): number {
    let size = 0;
    for (let n = 0; n < 5; n++) {
      const byte = this.byte();
      size += (byte & 127) * 2 ** (7 * n);
      if (byte < 128) return size;
    }
    throw new Error('A number is too long.');
  }

  private byte(): number {
    this.pass(1);
    return this.bytes[this.at - 1] as number;
  }

  private pass(count: number): void {
    this.at += count;
    if (this.at > this.bytes.length) throw new Error('Its footer ends too early.');
  }
}
