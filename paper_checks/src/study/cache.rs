//! Things that several cells need, kept in memory for the next one.

use super::StudyError;
use std::sync::{Arc, Mutex, PoisonError};

type Slot<V> = Arc<Mutex<Option<Arc<V>>>>;

/// The things that were asked for last, by what they depend on.
pub(super) struct Cache<K, V> {
    room: usize,
    made: Mutex<Vec<(K, Slot<V>)>>,
}

impl<K: PartialEq + Clone, V> Cache<K, V> {
    /// Room for so many things. Each thread at work should find room for its own.
    pub const fn new(room: usize) -> Self {
        Self { room, made: Mutex::new(Vec::new()) }
    }

    /// The thing of that key: from memory if it was made before, else made now. A second thread that wants the
    /// same waits instead of making it again; if making fails the next one tries.
    pub fn get(&self, key: &K, make: impl FnOnce() -> Result<V, StudyError>) -> Result<Arc<V>, StudyError> {
        let slot = {
            let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
            let at = made.iter().position(|(known, _)| known == key);
            let entry = at.map_or_else(|| (key.clone(), Slot::default()), |at| made.remove(at));
            made.push(entry.clone());
            if made.len() > self.room {
                made.remove(0);
            }
            entry.1
        };
        let mut thing = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if thing.is_none() {
            *thing = Some(Arc::new(make()?));
        }
        Ok(thing.clone().expect("it was filled above"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_last_is_made_once_and_the_oldest_is_forgotten() {
        let cache = Cache::new(2);
        let made = Mutex::new(Vec::new());
        let get = |key: u32| {
            *cache
                .get(&key, || {
                    made.lock().unwrap().push(key);
                    Ok(10 * key)
                })
                .unwrap()
        };
        assert_eq!([1, 2, 1, 3, 1, 2].map(get), [10, 20, 10, 30, 10, 20]);
        // 3 took the room of 2, which had not been asked for since.
        assert_eq!(*made.lock().unwrap(), [1, 2, 3, 2]);
    }

    #[test]
    fn a_thing_that_could_not_be_made_is_tried_again() {
        let cache = Cache::new(1);
        let fails = cache.get(&1, || Err(StudyError::Pool { wanted: 2, rows: 1 }));
        assert!(fails.is_err());
        assert_eq!(*cache.get(&1, || Ok(7)).unwrap(), 7);
    }
}
