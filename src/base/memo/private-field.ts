// A value in a private field of an object that others made, where a WeakMap would keep it beside the object. It works
// for frozen objects, and copies don't have it. The collector looks through the entries of WeakMaps in one pause, once
// it has marked everything else, and what they lead to waits for that: with one for each message of a busy server, that
// was four fifths of its longest pauses. A field is marked like any other.
// It stays as long as its object, even if nobody can read it any more, so it must be made once for each program.

/** As of a WeakMap. */
export type PrivateField<K extends object, V> = Pick<WeakMap<K, V>, "get"> & { set(key: K, value: V): void }

export function privateField<K extends object, V>(): PrivateField<K, V> {
  class Holder extends Given {
    #value: V
    constructor(key: K, value: V) {
      super(key)
      this.#value = value
    }
    static get(key: K): V | undefined {
      return #value in key ? key.#value : undefined
    }
    static set(key: K, value: V): void {
      if (#value in key) key.#value = value
      else new Holder(key, value)
    }
  }
  return Holder
}

/** A class whose fields are put on the object given. */
class Given {
  constructor(key: object) {
    // biome-ignore lint/correctness/noConstructorReturn: the fields of a class that extends this go where it points.
    return key
  }
}
