#include "exec/texture.h"

namespace lockstep::exec {
namespace {

constexpr std::size_t fresh_handles = 4096;  // before the first is used again

}  // namespace

// A launch that runs keeps the table that it began with.
Objects& ObjectTable::writable() {
    if (objects_.use_count() > 1) objects_ = std::make_shared<Objects>(*objects_);
    return *objects_;
}

std::uint64_t ObjectTable::place(Objects::Entry entry) {
    const std::lock_guard lock(mutex_);
    Objects& objects = writable();
    if (objects.entries.size() < fresh_handles || free_.empty()) {
        objects.entries.push_back(std::move(entry));
        return objects.entries.size();
    }
    const std::uint64_t handle = free_.front();
    free_.erase(free_.begin());
    objects.entries[handle - 1] = std::move(entry);
    return handle;
}

std::uint64_t ObjectTable::add(Texture texture) {
    return place({std::make_shared<const Texture>(std::move(texture)), nullptr});
}

std::uint64_t ObjectTable::add(Surface surface) {
    return place({nullptr, std::make_shared<const Surface>(std::move(surface))});
}

std::shared_ptr<const Texture> ObjectTable::texture(std::uint64_t handle) const {
    const std::lock_guard lock(mutex_);
    const Objects::Entry* found = objects_->find(handle);
    return found ? found->texture : nullptr;
}

std::shared_ptr<const Surface> ObjectTable::surface(std::uint64_t handle) const {
    const std::lock_guard lock(mutex_);
    const Objects::Entry* found = objects_->find(handle);
    return found ? found->surface : nullptr;
}

bool ObjectTable::remove_texture(std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    const Objects::Entry* found = objects_->find(handle);
    if (!found || !found->texture) return false;
    writable().entries[handle - 1] = {nullptr, nullptr, true};
    free_.push_back(handle);
    return true;
}

bool ObjectTable::remove_surface(std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    const Objects::Entry* found = objects_->find(handle);
    if (!found || !found->surface) return false;
    writable().entries[handle - 1] = {nullptr, nullptr, true};
    free_.push_back(handle);
    return true;
}

void ObjectTable::clear() {
    const std::lock_guard lock(mutex_);
    objects_ = std::make_shared<Objects>();
    free_.clear();
}

std::shared_ptr<const Objects> ObjectTable::snapshot() const {
    const std::lock_guard lock(mutex_);
    return objects_;
}

}  // namespace lockstep::exec
