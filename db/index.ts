export { connect, type Database, type Db, database, forgetDatabase, type Transaction } from './connect';
export { isCollision, isDatabaseGone, isDiskFull } from './faults';
export { firstIdAt, newId } from './id';
export * as tables from './schema';
