import type { StoredWork, ToolId } from '@/lib/annotator';
import type { RecorderState } from '@/lib/quality/interaction';

/** An outline that was not finished when the page went away. */
export type Gesture = { readonly tool: ToolId; readonly points: readonly number[] };

/** What belongs to a lease besides its document. */
export type Progress = {
  readonly answerId: string;
  readonly activeMs: number;
  /** Missing in what an older version of the page stored. */
  readonly interaction?: RecorderState;
};

type Tables = { work: StoredWork; gestures: Gesture; progress: Progress; aside: string };
type Table = keyof Tables;

const NAME = 'tessera-work';
const VERSION = 1;
const TABLES: readonly Table[] = ['work', 'gestures', 'progress', 'aside'];

/** The browser's own storage. Keys hold the person, so that two who share a browser never meet. */
export class LocalStore {
  readonly #database: IDBDatabase;
  readonly #userId: string;

  private constructor(database: IDBDatabase, userId: string) {
    this.#database = database;
    this.#userId = userId;
  }

  static async open(userId: string): Promise<LocalStore> {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const table of TABLES) request.result.createObjectStore(table);
    };
    return new LocalStore(await done(request), userId);
  }

  read<T extends Table>(table: T, lease: string): Promise<Tables[T] | undefined> {
    return done(this.#database.transaction(table).objectStore(table).get(this.#key(lease)));
  }

  async write<T extends Table>(table: T, lease: string, value: Tables[T]): Promise<void> {
    await this.#change(table, (store) => store.put(value, this.#key(lease)));
  }

  async remove(table: Table, lease: string): Promise<void> {
    await this.#change(table, (store) => store.delete(this.#key(lease)));
  }

  async #change(table: Table, change: (store: IDBObjectStore) => IDBRequest): Promise<void> {
    const transaction = this.#database.transaction(table, 'readwrite');
    const finished = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    change(transaction.objectStore(table));
    // Without waiting for the request to succeed: a tab that is closed right now still leaves the change behind.
    transaction.commit();
    return finished;
  }

  #key(lease: string): string {
    return `${this.#userId}/${lease}`;
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
