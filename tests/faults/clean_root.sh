#!/bin/sh
# A clean root, in namespaces of its own, whose first process is systemd: clean_root.sh DIRECTORY PROGRAM SITE CHECKOUT PYTHON
# The caller has put the unit and its settings into DIRECTORY/given. Nothing outside of the namespaces changes.
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
root=$1 program=$2 site=$3 checkout=$4 python=$5
mount --make-rprivate /
mkdir -p "$root/new"
mount -t tmpfs tmpfs "$root/new"
cd "$root/new"
mkdir -p usr etc/systemd/system etc/hidalgo var/lib var/log run tmp proc sys dev root home opt/hidalgo opt/python opt/site opt/checkout
for name in bin lib lib64 sbin; do ln -s "usr/$name" "$name"; done
mount --rbind /usr usr
mount --rbind /dev dev
mount --bind "$python" opt/python
mount --bind "$site" opt/site
mount --bind "$checkout" opt/checkout
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs tmpfs sys/fs/cgroup
mkdir sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs tmp
cp /etc/ld.so.cache etc/
printf 'root:x:0:0::/root:/bin/sh\nhidalgo:x:900:900::/nonexistent:/usr/sbin/nologin\n' >etc/passwd
printf 'root:x:0:\nhidalgo:x:900:\n' >etc/group
echo '127.0.0.1 localhost' >etc/hosts
: >etc/machine-id
cp "$root"/given/*.service etc/systemd/system/
cp "$root"/given/*.env etc/hidalgo/
cat >etc/systemd/system/drill.target <<TARGET
[Unit]
Description=The drill
DefaultDependencies=no
TARGET
chroot . /usr/bin/env LD_LIBRARY_PATH=/opt/python/lib /opt/python/bin/python3 -m venv --without-pip /opt/hidalgo/.venv
for packages in opt/hidalgo/.venv/lib/python3.*/site-packages; do
    printf '/opt/site\n/opt/checkout\n' >"$packages/hidalgo.pth"
done
{ echo '#!/opt/hidalgo/.venv/bin/python'; tail -n +2 "$program"; } >opt/hidalgo/.venv/bin/hidalgo
chmod 755 opt/hidalgo/.venv/bin/hidalgo
ip link set lo up
mkdir old
pivot_root . old
cd /
umount -l /old
exec /usr/bin/env -i container=drill PATH=/usr/bin:/usr/sbin /lib/systemd/systemd --system --unit=drill.target
