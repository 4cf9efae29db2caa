import type { Outline, StoredWork, Wish } from '@/lib/core/editor';
import type { RecorderState } from '@/lib/core/quality/interaction';

/** An outline that was not finished when the page went away. */
export type Gesture = Outline;

/** What belongs to a lease besides its document. */
export type Progress = {
  readonly answerId: string;
  readonly activeMs: number;
  /** Missing in what an older version of the page stored. */
  readonly interaction?: RecorderState;
};

type Tables = { work: StoredWork; gestures: Gesture; progress: Progress; aside: string; wishes: Wish };
type Table = keyof Tables;

const NAME = 'tessera-work';
const VERSION = 2;
const TABLES: readonly Table[] = ['work', 'gestures', 'progress', 'aside', 'wishes'];

/** The browser's own storage. Keys hold the person, so that two who share a browser never meet. */
export class LocalStore {
  readonly #database: IDBDatabase;
  readonly #userId: string;

  private constructor(database: IDBDatabase, userId: string) {
    this.#database = database;
    this.#userId = userId;
    // A tab with a newer release wants to upgrade.
    database.onversionchange = () => database.close();
  }

  static async open(userId: string): Promise<LocalStore> {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      const there = request.result.objectStoreNames;
      for (const table of TABLES) if (!there.contains(table)) request.result.createObjectStore(table);
    };
    return new LocalStore(await done(request), userId);
  }

  /** `key` is a lease, or a batch in `wishes`. */
  read<T extends Table>(table: T, key: string): Promise<Tables[T] | undefined> {
    return done(this.#database.transaction(table).objectStore(table).get(this.#key(key)));
  }

  /** Everything of this person in a table, by its key. */
  async readAll<T extends Table>(table: T): Promise<Map<string, Tables[T]>> {
    const objects = this.#database.transaction(table).objectStore(table);
    const own = IDBKeyRange.bound(this.#key(''), this.#key('\uffff'));
    const [keys, values] = await Promise.all([done(objects.getAllKeys(own)), done(objects.getAll(own))]);
    const start = this.#key('').length;
    return new Map(keys.map((key, index) => [String(key).slice(start), values[index] as Tables[T]]));
  }

  async write<T extends Table>(table: T, key: string, value: Tables[T]): Promise<void> {
    await this.#change(table, (store) => store.put(value, this.#key(key)));
  }

  async remove(table: Table, key: string): Promise<void> {
    await this.#change(table, (store) => store.delete(this.#key(key)));
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

  #key(key: string): string {
    return `${this.#userId}/${key}`;
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
